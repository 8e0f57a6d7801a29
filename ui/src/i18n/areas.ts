/** The words of the pages by area. A page's code imports the areas that it uses, and only those are loaded. */

import { type Language, language } from "./language";

type Loaders<Words> = Readonly<Record<Language, () => Promise<{ words: Words }>>>;

interface Loadable {
  has: (code: Language) => boolean;
  load: (code: Language) => Promise<void>;
}

const registered: Loadable[] = [];

/** Returns a function that returns the words of an area in the language of the page. */
export function area<Words>(loaders: Loaders<Words>, loaded: Partial<Record<Language, Words>> = {}): () => Words {
  registered.push({
    has: code => loaded[code] !== undefined,
    load: async code => {
      loaded[code] ??= (await loaders[code]()).words;
    },
  });
  return () => {
    const words = loaded[language.value];
    if (words === undefined) throw new Error(`words are used before they are loaded: ${language.value}`);
    return words;
  };
}

let wanted: Language = "en";

/** Loads every area whose code is present, in the language of the page and in the one that it changes to. */
export async function wordsLoaded(): Promise<void> {
  for (const code of new Set([language.peek(), wanted])) await loadAll(code);
}

/** Changes the language once its words are loaded; without a connection nothing changes. */
export async function setLanguage(code: Language): Promise<void> {
  wanted = code;
  try {
    await loadAll(code);
  } catch {
    if (wanted === code) wanted = language.peek();
    return;
  }
  if (wanted === code) language.value = code;
}

async function loadAll(code: Language): Promise<void> {
  // A page that loads meanwhile registers more areas.
  for (let missing = lacking(code); missing.length > 0; missing = lacking(code)) {
    await Promise.all(missing.map(one => one.load(code)));
  }
}

function lacking(code: Language): Loadable[] {
  return registered.filter(one => !one.has(code));
}
