// Sets the theme before the first paint. A file of its own, since the page's policy forbids inline scripts.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("theme");
  } catch {
    // Storage can be switched off; the system's choice then decides.
  }
  const dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = dark ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.mantineColorScheme = theme;
})();
