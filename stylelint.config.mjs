/**
 * Only tokens.css has lengths and colours: everything else names a token, so that both themes and all pages agree. Units
 * that follow the text, the box or the window are allowed.
 */
const LENGTHS = ["px", "pt", "pc", "cm", "mm", "q", "in", "rem", "rch", "rlh"];
const COLORS = ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"];

export default {
  rules: {
    "unit-disallowed-list": LENGTHS,
    "color-no-hex": true,
    "color-named": "never",
    "function-disallowed-list": COLORS,
  },
  overrides: [
    {
      files: ["web/src/ui/tokens.css"],
      rules: {
        "unit-disallowed-list": null,
        "color-no-hex": null,
        "color-named": null,
        "function-disallowed-list": null,
      },
    },
  ],
};
