import { LinkButton } from "../components/button";
import { words } from "../words";

/** Holds the place of a page that is not there yet. */
export default function Coming() {
  const say = words().shell;
  return (
    <section class="page page-narrow">
      <h1>{say.comingTitle}</h1>
      <LinkButton href="/">{say.toTables}</LinkButton>
    </section>
  );
}
