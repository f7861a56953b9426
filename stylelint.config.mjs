/** Only tokens.css has lengths in pixels and colours: everything else names a token, so that both themes and all pages agree. */
const COLORS = ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"];

export default {
  rules: {
    "unit-disallowed-list": ["px"],
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
