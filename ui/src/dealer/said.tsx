/** What the book says, in the language of the page; a translation has the book's own words beneath it. */

import { words } from "../words";
import { actInChinese, calledInChinese } from "../words/server";

/** A step of the procedure. */
export function StepWords({ act, says }: { act: string; says: string }) {
  const chinese = actInChinese(act);
  if (chinese === null) return <>{capital(says)}</>;
  return (
    <>
      {chinese}
      <small class="exact" lang="en">
        {capital(says)}
      </small>
    </>
  );
}

/** What is to be called out: the prescribed words stay, with their meaning. */
export function Called({ text }: { text: string }) {
  const say = words().dealer;
  const meaning = calledInChinese(text);
  return (
    <strong class="due-announce">
      {say.announce(text)}
      {meaning !== null && say.meaning(meaning)}
    </strong>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
