/** The language, stored in the account, and the theme, stored in this browser. */

import { api, unwrap } from "../../api/client";
import { Choice, Tick } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { choose, followBrowser, inChinese, LANGUAGES, type Language, languageOf, words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { englishBeneath, showEnglish } from "../../shell/english";
import { me } from "../../shell/session";
import { chooseTheme, THEMES, theme } from "../../shell/theme";
import { Card } from "./parts";

export function Choices() {
  const t = words();
  const submission = useSubmission();
  const own = languageOf(me.value?.language);
  const saveLanguage = async (wanted: Language | ""): Promise<void> => {
    const tag = wanted || null;
    const { language } = await unwrap(api.PUT("/api/v1/me/language", { body: { language: tag } }));
    if (me.value) me.value = { ...me.value, language };
    if (wanted === "") followBrowser();
    else choose(wanted);
  };
  return (
    <Card title={accountWords().choices}>
      <div class="own-form">
        <Choice<Language | "">
          label={accountWords().language}
          value={own ?? ""}
          options={[
            { value: "", name: accountWords().browsers },
            ...LANGUAGES.map(one => ({ value: one.code, name: one.name })),
          ]}
          onValue={wanted => void submission.submit(() => saveLanguage(wanted))}
        />
        {submission.problem && <ProblemNote problem={submission.problem} />}
        {inChinese.value && <Tick label={accountWords().english} on={englishBeneath.value} onChange={showEnglish} />}
        <Choice
          label={accountWords().look}
          value={theme.value}
          options={THEMES.map(one => ({ value: one, name: t.shell.looks[one] }))}
          onValue={chooseTheme}
        />
      </div>
    </Card>
  );
}
