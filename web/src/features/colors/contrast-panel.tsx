/** The contrast of any two colours: can a text in the one be read on the other? */
import { ActionIcon, Select, Tooltip } from "@mantine/core";
import { useState } from "react";
import { contrastRatio, levels, ratioText } from "@/lib/contrast";
import { Badge } from "@/ui/badge";
import { IconArrowsExchange } from "@/ui/icons";
import { look } from "@/ui/look";
import { Panel } from "@/ui/page";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
import classes from "./contrast-panel.module.css";
import type { Color } from "./queries";

/** No key of a colour begins so. */
const ALWAYS = [
  { id: "#ffffff", name: "White", value: "#ffffff" },
  { id: "#000000", name: "Black", value: "#000000" },
] as const;

interface Choice {
  id: string;
  name: string;
  value: string;
}

export function ContrastPanel({ colors }: { colors: readonly Color[] }) {
  const own = colors.map(({ key, value }): Choice => ({ id: key, name: key, value }));
  const choices = [...own, ...ALWAYS];
  const [ids, setIds] = useState<{ text?: string; ground?: string }>({});
  // A chosen colour may have been deleted since.
  const find = (id: string | undefined) => choices.find((choice) => choice.id === id);
  const text = find(ids.text) ?? own[0] ?? ALWAYS[1];
  const ground = find(ids.ground) ?? bestGround(text, own) ?? ALWAYS[0];
  const ratio = contrastRatio(text.value, ground.value);
  return (
    <Box mt={24} className={classes["contrast"]}>
      <Panel title="Contrast">
        <Grid gap={16} p={16}>
          <Grid align="end" justify="start" gap={8} className={classes["choice"]}>
            <ColorSelect
              label="Text"
              own={own}
              chosen={text}
              onChoose={(id) => setIds({ text: id, ground: ground.id })}
            />
            <Tooltip label="Swap">
              <ActionIcon
                className={look({ mb: 1 }, classes["swap"])}
                aria-label="Swap text and ground"
                onClick={() => setIds({ text: ground.id, ground: text.id })}
              >
                <IconArrowsExchange size={17} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
            <ColorSelect
              label="Ground"
              own={own}
              chosen={ground}
              onChoose={(id) => setIds({ text: text.id, ground: id })}
            />
          </Grid>
          <Grid gap={24} smallGap={16} className={classes["result"]}>
            <Stack
              justify="center"
              gap={8}
              px={24}
              py={20}
              radius="m"
              minH={150}
              className={classes["sample"]}
              style={{ background: ground.value, color: text.value }}
            >
              <p className={classes["large"]}>Where to next?</p>
              <p>Trips made for slow mornings and long evenings.</p>
            </Stack>
            <div>
              <p className={look({ figure: true, num: true })} role="status">
                <Text as="span" spoken>
                  Contrast of {text.name} on {ground.name}:{" "}
                </Text>
                {ratioText(ratio)}
              </p>
              <Box as="ul" mt={8} className={classes["levels"]} aria-label="What it is good for">
                {levels.map(({ name, use, least }) => (
                  <Grid minH={30} as="li" align="center" gap={12} lineAbove size="s" key={name + use}>
                    <span>
                      <b>{name}</b> {use}
                    </span>
                    <Text as="span" size="xs" tone="ink-3" num>
                      from {least}:1
                    </Text>
                    <Badge tone={ratio >= least ? "ok" : "bad"}>{ratio >= least ? "Pass" : "Fail"}</Badge>
                  </Grid>
                ))}
              </Box>
            </div>
          </Grid>
        </Grid>
      </Panel>
    </Box>
  );
}

/** The other colour on which a text in this colour is read best. */
function bestGround(text: Choice, own: readonly Choice[]): Choice | undefined {
  const ratioOf = ({ value }: Choice) => contrastRatio(text.value, value);
  return own.filter(({ id }) => id !== text.id).toSorted((a, b) => ratioOf(b) - ratioOf(a))[0];
}

const optionOf = ({ id, name }: Choice) => ({ value: id, label: name });

function ColorSelect({
  label,
  own,
  chosen,
  onChoose,
}: {
  label: string;
  own: readonly Choice[];
  chosen: Choice;
  onChoose: (id: string) => void;
}) {
  const hexOf = (id: string) => [...own, ...ALWAYS].find((choice) => choice.id === id)?.value ?? "";
  return (
    <Select
      size="sm"
      label={label}
      searchable
      comboboxProps={{ keepMounted: false }}
      nothingFoundMessage="No colour has this key."
      data={[
        { group: "Colours", items: own.map(optionOf) },
        { group: "Always there", items: ALWAYS.map(optionOf) },
      ]}
      value={chosen.id}
      leftSection={<Swatch value={chosen.value} />}
      renderOption={({ option }) => (
        <Row as="span" align="center" grow shrink gap={9} className={classes["option"]}>
          <Swatch value={hexOf(option.value)} />
          <Text as="span" grow shrink clip ellipsis className={classes["name"]}>
            {option.label}
          </Text>
          <span className="mono">{hexOf(option.value)}</span>
        </Row>
      )}
      onChange={(id) => {
        if (id !== null) onChoose(id);
      }}
    />
  );
}

const Swatch = ({ value }: { value: string }) => (
  <Box
    as="i"
    layout="block"
    rigid
    h={16}
    radius="xs"
    w={16}
    className={classes["swatch"]}
    style={{ background: value }}
    aria-hidden="true"
  />
);
