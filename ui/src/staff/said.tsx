/** What the book says, in the language of the page; a translation has the book's own words beneath it. */

import { words } from "../words";
import { actInChinese, calledInChinese, inspectionInChinese } from "../words/server";

function Translated({ chinese, says }: { chinese: string | null; says: string }) {
  if (chinese === null) return <>{says}</>;
  return (
    <>
      {chinese}
      <small class="exact" lang="en">
        {says}
      </small>
    </>
  );
}

/** A step of the procedure. */
export function StepWords({ act, says }: { act: string; says: string }) {
  return <Translated chinese={actInChinese(act)} says={capital(says)} />;
}

/** How something is inspected. */
export function InspectionWords({ how, says }: { how: string; says: string }) {
  return <Translated chinese={inspectionInChinese(how)} says={capital(says)} />;
}

/** What is to be called out; the prescribed words stand beneath their meaning. */
export function Called({ text }: { text: string }) {
  const meaning = calledInChinese(text);
  const say = words().dealer.announce;
  return (
    <strong class="due-announce">
      <Translated chinese={meaning === null ? null : say(meaning)} says={meaning === null ? say(text) : `“${text}”`} />
    </strong>
  );
}

/** The same as a whole sentence. */
export function sentence(text: string): string {
  return capital(/[.!?。]$/.test(text) ? text : `${text}.`);
}

/** A sentence of a book begins with a capital where it stands alone. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
