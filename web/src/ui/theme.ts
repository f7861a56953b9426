/** Mantine's theme: sizes and variants; colours are the tokens (tokens.css, mantine-theme.css). */
import {
  type ActionIconProps,
  type ButtonProps,
  type CheckboxProps,
  createTheme,
  defaultVariantColorsResolver,
  type InputProps,
  type MantineColorsTuple,
  type ModalProps,
  type PopoverProps,
  type SelectProps,
  type TextareaProps,
  type TextInputProps,
  type TooltipProps,
  type VariantColorsResolver,
} from "@mantine/core";
import { focusPageIfStaysLost } from "./focus";

const ofToken = (token: string): MantineColorsTuple => {
  const value = `var(--${token})`;
  return [value, value, value, value, value, value, value, value, value, value];
};

/** `filled` is the one loud variant; `default` is the quiet button; `subtle` shows itself on hover. `color="red"` destroys. */
const variants: VariantColorsResolver = (input) => {
  const tone = input.color === "red" ? "bad" : "accent";
  switch (input.variant) {
    case "filled":
      return {
        background: `var(--${tone})`,
        hover: `var(--${tone}-hover)`,
        color: "var(--accent-ink)",
        border: "1px solid transparent",
      };
    case "default":
      return {
        background: "var(--surface)",
        hover: "var(--hover)",
        color: tone === "bad" ? "var(--bad)" : "var(--ink)",
        border: "1px solid var(--line-2)",
      };
    case "subtle":
      return {
        background: "transparent",
        hover: "var(--hover)",
        color: tone === "bad" ? "var(--bad)" : "var(--ink-2)",
        border: "1px solid transparent",
      };
    default:
      return defaultVariantColorsResolver(input);
  }
};

const popIn = { transition: "fade", duration: 120 } as const;

export const theme = createTheme({
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "16px" },
  defaultRadius: "sm",
  lineHeights: { md: "1.5" },
  colors: { accent: ofToken("accent"), red: ofToken("bad") },
  primaryColor: "accent",
  primaryShade: 6,
  respectReducedMotion: true,
  cursorType: "pointer",
  variantColorResolver: variants,
  components: {
    // By name, not by `extend`, which would bring the code of each to pages without it.
    Button: { defaultProps: { variant: "default", size: "sm" } satisfies ButtonProps },
    ActionIcon: { defaultProps: { variant: "subtle", size: 32 } satisfies ActionIconProps },
    Input: { defaultProps: { size: "md" } satisfies InputProps },
    TextInput: { defaultProps: { size: "md", withAsterisk: false } satisfies TextInputProps },
    Textarea: { defaultProps: { size: "md", withAsterisk: false } satisfies TextareaProps },
    Select: {
      defaultProps: {
        size: "md",
        withAsterisk: false,
        allowDeselect: false,
        comboboxProps: { transitionProps: popIn },
      } satisfies Partial<SelectProps>,
    },
    Checkbox: { defaultProps: { size: "xs" } satisfies CheckboxProps },
    Popover: { defaultProps: { transitionProps: popIn } satisfies Partial<PopoverProps> },
    Tooltip: {
      defaultProps: {
        multiline: true,
        openDelay: 200,
        transitionProps: popIn,
        events: { hover: true, focus: true, touch: true },
      } satisfies Partial<TooltipProps>,
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        padding: 20,
        transitionProps: { transition: "fade-up", duration: 150 },
        overlayProps: { color: "#131312", backgroundOpacity: 0.45 },
        closeButtonProps: { "aria-label": "Close" },
        // What opened it may have gone with what it did.
        onExitTransitionEnd: focusPageIfStaysLost,
      } satisfies Partial<ModalProps>,
    },
  },
});
