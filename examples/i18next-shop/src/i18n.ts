import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import de from "./locales/de/translation.json";
import en from "./locales/en/translation.json";

i18next.use(initReactI18next).init({
  lng: navigator.language.slice(0, 2),
  fallbackLng: "en",
  resources: { en: { translation: en }, de: { translation: de } },
  interpolation: { escapeValue: false },
});
