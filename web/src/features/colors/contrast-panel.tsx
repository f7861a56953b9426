/** The contrast of any two colours: can a text in the one be read on the other? */
import { ActionIcon, Select, Tooltip } from "@mantine/core";
import { useState } from "react";
import { contrastRatio, levels, ratioText } from "@/lib/contrast";
import { Badge } from "@/ui/badge";
import { IconArrowsExchange } from "@/ui/icons";
import { Panel } from "@/ui/page";
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
    <div className={classes["contrast"]}>
      <Panel title="Contrast">
        <div className={classes["body"]}>
          <div className={classes["choice"]}>
            <ColorSelect
              label="Text"
              own={own}
              chosen={text}
              onChoose={(id) => setIds({ text: id, ground: ground.id })}
            />
            <Tooltip label="Swap">
              <ActionIcon
                className={classes["swap"] ?? ""}
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
          </div>
          <div className={classes["result"]}>
            <div className={classes["sample"]} style={{ background: ground.value, color: text.value }}>
              <p className={classes["large"]}>Where to next?</p>
              <p>Trips made for slow mornings and long evenings.</p>
            </div>
            <div>
              <p className={`${classes["ratio"]} num`} role="status">
                <span className={classes["spoken"]}>
                  Contrast of {text.name} on {ground.name}:{" "}
                </span>
                {ratioText(ratio)}
              </p>
              <ul className={classes["levels"]} aria-label="What it is good for">
                {levels.map(({ name, use, least }) => (
                  <li key={name + use}>
                    <span>
                      <b>{name}</b> {use}
                    </span>
                    <span className={`${classes["least"]} num`}>from {least}:1</span>
                    <Badge tone={ratio >= least ? "ok" : "bad"}>{ratio >= least ? "Pass" : "Fail"}</Badge>
                  </li>
                ))}
              </ul>
            </div>
          </div>
        </div>
      </Panel>
    </div>
  );
}

/** The other colour on which a text in this one is read best. */
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
        <span className={classes["option"]}>
          <Swatch value={hexOf(option.value)} />
          <span className={classes["name"]}>{option.label}</span>
          <span className="mono">{hexOf(option.value)}</span>
        </span>
      )}
      onChange={(id) => {
        if (id !== null) onChoose(id);
      }}
    />
  );
}

const Swatch = ({ value }: { value: string }) => (
  <i className={classes["swatch"]} style={{ background: value }} aria-hidden="true" />
);
