/** Two-factor sign-in: what is set up, and the buttons of its dialogs, whose code comes when a dialog is opened. */
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/lib/api";
import { canUsePasskeys } from "@/lib/passkey-support";
import { formatDay } from "@/lib/time";
import { Badge } from "@/ui/badge";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Row } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import classes from "@/ui/rows.module.css";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type Change, type Passkey, type SecondFactors, secondFactorsQuery } from "./second-factors";

const content = later(
  async () => (await import("./two-factor-content")).TwoFactorContent,
  <LoadingRows rows={2} height={44} label="Loading the form" />,
);

const TITLES: Record<Change["kind"], string> = {
  "set-up-app": "Set up an authenticator app",
  "remove-app": "Remove the authenticator app?",
  "add-passkey": "Add a passkey",
  "rename-passkey": "Rename the passkey",
  "remove-passkey": "Remove the passkey?",
  "new-codes": "Make new recovery codes?",
};

export function TwoFactorSection({ email }: { email: string }) {
  const { data, error, isError, refetch } = useQuery(secondFactorsQuery);
  const [change, setChange] = useState<Change>({ kind: "set-up-app" });
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const begin = (next: Change) => {
    setChange(next);
    setCodes(null);
    setOpen(true);
  };
  const close = () => setOpen(false);
  /** The codes are shown once: only who kept them closes the dialog. */
  const canLeave = codes === null;
  const isOn = data !== undefined && (data.totpSince !== null || data.passkeys.length > 0);
  return (
    <Panel title="Two-factor sign-in" aside={data !== undefined && <State isOn={isOn} />}>
      {data !== undefined ? (
        <Factors factors={data} isOn={isOn} onChange={begin} />
      ) : isError ? (
        <ErrorState message={messageOf(error, "Failed to fetch your second factors.")} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={2} height={60} label="Loading second factors" />
      )}
      <Modal
        opened={isOpen}
        onClose={close}
        title={canLeave ? TITLES[change.kind] : "Keep your recovery codes"}
        size="md"
        closeOnClickOutside={false}
        closeOnEscape={canLeave}
        withCloseButton={canLeave}
      >
        <content.Part email={email} change={change} codes={codes} onCodes={setCodes} onClose={close} />
      </Modal>
    </Panel>
  );
}

const State = ({ isOn }: { isOn: boolean }) => <Badge tone={isOn ? "ok" : "plain"}>{isOn ? "On" : "Off"}</Badge>;

function Factors({
  factors,
  isOn,
  onChange,
}: {
  factors: SecondFactors;
  isOn: boolean;
  onChange: (change: Change) => void;
}) {
  const { totpSince, passkeys, recoveryCodesLeft } = factors;
  return (
    <>
      {!isOn && (
        <Row
          as="p"
          align="center"
          justify="between"
          gap={8}
          gapX={16}
          size="s"
          tone="ink-2"
          className={`${classes["row"]} ${classes["note"]}`}
        >
          With a second factor, your password alone is not enough to log in. Your other devices are logged out when you
          add the first.
        </Row>
      )}
      <PanelRow>
        <RowText name="Authenticator app" isStrong>
          {totpSince === null ? "Asks for a code of six digits." : `Set up ${formatDay(totpSince)}`}
        </RowText>
        {totpSince === null ? (
          <Button size="xs" onClick={() => onChange({ kind: "set-up-app" })}>
            Set up
          </Button>
        ) : (
          <Button size="xs" aria-label="Remove the app" onClick={() => onChange({ kind: "remove-app" })}>
            Remove
          </Button>
        )}
      </PanelRow>
      <PanelRow>
        <RowText name="Passkeys" isStrong>
          {canUsePasskeys()
            ? "Log in with your fingerprint, face or device PIN, without a password."
            : "This browser can't use passkeys at this address."}
        </RowText>
        {canUsePasskeys() && (
          <Button size="xs" onClick={() => onChange({ kind: "add-passkey" })}>
            Add a passkey
          </Button>
        )}
      </PanelRow>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey._id} passkey={passkey} onChange={onChange} />
      ))}
      {isOn && (
        <PanelRow>
          <RowText
            name={<>Recovery codes {recoveryCodesLeft <= 3 && <Badge tone="warn">{recoveryCodesLeft} left</Badge>}</>}
            isStrong
          >
            Each logs you in once without the second factor. {recoveryCodesLeft} of 10 are left.
          </RowText>
          <Button size="xs" onClick={() => onChange({ kind: "new-codes" })}>
            Make new codes
          </Button>
        </PanelRow>
      )}
    </>
  );
}

function PasskeyRow({ passkey, onChange }: { passkey: Passkey; onChange: (change: Change) => void }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <PanelRow>
      <RowText name={name} isStrong>
        Added {formatDay(createdAt)} ·{" "}
        {lastUsedAt === null ? (
          "never used"
        ) : (
          <>
            last used <RelativeTime moment={lastUsedAt} />
          </>
        )}
      </RowText>
      <Row wrap align="center" gap={8}>
        <Button size="xs" aria-label={`Rename ${name}`} onClick={() => onChange({ kind: "rename-passkey", passkey })}>
          Rename
        </Button>
        <Button size="xs" aria-label={`Remove ${name}`} onClick={() => onChange({ kind: "remove-passkey", passkey })}>
          Remove
        </Button>
      </Row>
    </PanelRow>
  );
}
