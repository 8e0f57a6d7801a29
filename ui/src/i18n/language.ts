/** The language of the pages: the visitor's choice, else the account's, else the browser's. */

import { computed, effect, signal } from "@preact/signals";

export type Language = "en" | "zh-Hant" | "zh-Hans";

export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: "en", name: "English" },
  { code: "zh-Hant", name: "繁體中文" },
  { code: "zh-Hans", name: "简体中文" },
];

const TRADITIONAL = new Set(["hant", "tw", "hk", "mo"]);

/** The language for a tag like zh-TW, by the server's rules; null for an unsupported language. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [primary, ...rest] = tag?.toLowerCase().split("-") ?? [];
  if (primary === "en") return "en";
  if (primary !== "zh") return null;
  return !rest.includes("hans") && rest.some(one => TRADITIONAL.has(one)) ? "zh-Hant" : "zh-Hans";
}

/** The language of the page: one whose words are loaded. */
export const language = signal<Language>("en");

/** The tag for dates and times: the browser's own for the language of the page, like en-GB, else the language itself.
 * Chinese has the 24-hour clock. */
export const regional = computed(() => {
  const tag = navigator.languages.find(one => languageOf(one) === language.value) ?? language.value;
  return language.value === "en" ? tag : new Intl.Locale(tag, { hourCycle: "h23" }).toString();
});

export const inChinese = computed(() => language.value !== "en");

/** The language for the parameter `lang` of the API. */
export const apiLanguage = computed<"en" | "zh" | "zh-Hans">(() =>
  language.value === "zh-Hant" ? "zh" : language.value,
);

effect(() => {
  document.documentElement.lang = language.value;
});
