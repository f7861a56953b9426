import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "@/testing/component";
import { languages } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";
import { Flag } from "@/ui/flag";
import { useLanguageNames } from "./languages";

const english = { ...languages[0], flag: "🇺🇸" };
const catalan = { ...languages[0], code: "ca", name: "Catalan", nativeName: "Català", flag: "" };

function Flags({ codes }: { codes: readonly string[] }) {
  const nameOf = useLanguageNames();
  return (
    <p>
      {codes.map((code) => (
        <Flag key={code} language={nameOf(code)} />
      ))}
    </p>
  );
}

test("a region has its own flag, and a language without a country shows its code", async () => {
  server.use(answer("get", "/api/languages", { languages: [english, catalan] }));

  renderPart(<Flags codes={["en", "en-GB", "en-Latn-IN", "ca", "ca-ES"]} />);

  expect(await screen.findByText("🇺🇸")).toBeVisible();
  expect(screen.getByRole("paragraph").textContent).toBe("🇺🇸🇬🇧🇮🇳caca");
});

function Directions({ codes }: { codes: readonly string[] }) {
  const nameOf = useLanguageNames();
  return <p>{codes.map((code) => nameOf(code).direction).join(" ")}</p>;
}

test("a text has the direction of its language also before the server's list is here", () => {
  server.use(answer("get", "/api/languages", {}, { afterMs: "infinite" }));

  renderPart(<Directions codes={["en", "ar", "he-IL", "fa", "no language", ""]} />);

  expect(screen.getByRole("paragraph")).toHaveTextContent(/^ltr rtl rtl rtl ltr ltr$/);
});
