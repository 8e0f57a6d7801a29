/** A text of a book in the language of the page. */

import type { Label } from "../api/types";
import { language, named, translationOf, words } from "../i18n";

const HAN = /\p{Script=Han}/u;

/** A translation, with the binding English text below it. */
export function Translated({ chinese, says }: { chinese: string | null; says: string }) {
  if (chinese === null) return <Own text={says} />;
  return (
    <>
      {chinese}
      <small class="exact" lang="en">
        {says}
      </small>
    </>
  );
}

/** Marked as English if the page is in another language. */
function Own({ text }: { text: string }) {
  return language.value === "en" ? <>{text}</> : <span lang="en">{text}</span>;
}

/** What is wrong, and why. In Chinese the reason is below; what a database or the system reports is in English. */
export function TextWithReason({ says, why }: { says: string; why: string }) {
  if (why === "" || says === "") return <>{says || why}</>;
  if (language.value !== "en") {
    return (
      <>
        {says}
        {HAN.test(why) ? (
          <small class="reason">{why}</small>
        ) : (
          <small class="exact" lang="en">
            {why}
          </small>
        )}
      </>
    );
  }
  return <>{says.endsWith(".") ? `${says} ${capital(why)}` : `${says}: ${why}`}</>;
}

/** Without the book's own words: for titles, and where they are elsewhere on the page. */
export function BookText({ text }: { text: Label }) {
  return translationOf(text) === null ? <Own text={text.en} /> : <>{named(text)}</>;
}

/** Who issued a book; one that names nobody is described. */
export function Authority({ name }: { name: Label }) {
  const described = words().authorities[name.en];
  return described === undefined ? <BookText text={name} /> : <>{described}</>;
}

/** With the book's own words, which are binding, below a translation. */
export function Exact({ text }: { text: Label }) {
  return <Translated chinese={translationOf(text)} says={text.en} />;
}

/** Like `Exact`, with a capital at the beginning, for sentences that stand alone. */
export function ExactLine({ text }: { text: Label }) {
  return <Translated chinese={translationOf(text)} says={capital(text.en)} />;
}

/** The printed text for which a reading is needed. */
export function Printed({ text }: { text: Label }) {
  const chinese = translationOf(text);
  if (chinese === null) return <q lang="en">{text.en}</q>;
  return (
    <>
      <q>{chinese}</q>
      <small class="exact" lang="en">
        {text.en}
      </small>
    </>
  );
}

/** Capitalises a sentence of a book that stands alone. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
