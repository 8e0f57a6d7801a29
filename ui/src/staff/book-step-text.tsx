/** What the book says to be done at the table; a translation has the book's own words beneath it. */

import { capital, Translated } from "../components/book-sentence";
import { words } from "../i18n";
import { actInChinese, inspectionInChinese } from "../i18n/names";
import { bookSentence } from "../i18n/sentences";

/** A step of the procedure. */
export function StepWords({ act, says }: { act: string; says: string }) {
  return <Translated chinese={bookSentence(says) ?? actInChinese(act)} says={capital(says)} />;
}

/** How something is inspected. */
export function InspectionWords({ how, says }: { how: string; says: string }) {
  return <Translated chinese={bookSentence(says) ?? inspectionInChinese(how)} says={capital(says)} />;
}

/** What is to be called out; the prescribed words stand beneath their meaning. */
export function Called({ text }: { text: string }) {
  const meaning = bookSentence(text);
  const say = words().table.announce;
  return (
    <strong class="due-announce">
      <Translated chinese={meaning === null ? null : say(meaning)} says={meaning === null ? say(text) : `“${text}”`} />
    </strong>
  );
}
