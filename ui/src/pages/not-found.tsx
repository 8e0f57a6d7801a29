import { LinkButton } from "../components/button";
import { words } from "../i18n";

export default function NotFound() {
  const say = words().shell;
  return (
    <section class="page page-narrow">
      <h1>{say.notFound}</h1>
      <p class="lead">{say.notFoundMore}</p>
      <LinkButton href="/" tone="main">
        {say.toTables}
      </LinkButton>
    </section>
  );
}
