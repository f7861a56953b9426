/** The writing direction of a language tag: by its script where it names a script, else by the language. */

const RTL_SCRIPTS = new Set(["adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa"]);
const RTL_LANGUAGES = new Set("ar arc ckb dv fa he iw ji ks mzn nqo pnb prs ps sd syr ug ur yi".split(" "));

export function directionOf(language: string): "ltr" | "rtl" {
  const [tongue = "", ...rest] = language.toLowerCase().split(/[-_]/);
  const script = rest.find((part) => /^[a-z]{4}$/.test(part));
  const isRtl = script === undefined ? RTL_LANGUAGES.has(tongue) : RTL_SCRIPTS.has(script);
  return isRtl ? "rtl" : "ltr";
}
