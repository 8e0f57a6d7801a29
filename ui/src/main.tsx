import { render } from "preact";
import { App } from "./app";
import { ready } from "./i18n";
import "./shell/english";
import { followLinks } from "./shell/router";
import { watchInput } from "./shell/screen-lock";
import { recognise } from "./shell/session";

followLinks();
watchInput();
void recognise();
const place = document.getElementById("page");
if (place !== null) void ready.then(() => render(<App />, place));
