import { LinkButton } from "../components/button";
import { words } from "../i18n";

export default function NotFound() {
  const t = words().shell;
  return (
    <section class="page page-narrow">
      <h1>{t.notFound}</h1>
      <p class="lead">{t.notFoundMore}</p>
      <LinkButton href="/" tone="main">
        {t.toTables}
      </LinkButton>
    </section>
  );
}
