/** The book's text for a step; a translation has the book's own words below it. */

import type { Label } from "../api/types";
import { capital, Translated } from "../components/book-sentence";
import { translationOf, words } from "../i18n";
import { actInChinese, inspectionInChinese } from "../i18n/names";

/** A step of the procedure. */
export function StepWords({ act, says }: { act: string; says: Label }) {
  return <Translated chinese={translationOf(says) ?? actInChinese(act)} says={capital(says.en)} />;
}

/** How something is inspected. */
export function InspectionWords({ how, says }: { how: string; says: Label }) {
  return <Translated chinese={translationOf(says) ?? inspectionInChinese(how)} says={capital(says.en)} />;
}

/** The announcement; the prescribed words are below their translation. */
export function AnnouncedText({ text }: { text: Label }) {
  const meaning = translationOf(text);
  const t = words().table.announce;
  return (
    <strong class="due-announce">
      <Translated
        chinese={meaning === null ? null : t(meaning)}
        says={meaning === null ? t(text.en) : `“${text.en}”`}
      />
    </strong>
  );
}
