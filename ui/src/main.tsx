import { render } from "preact";
import { App } from "./app";
import { ready } from "./i18n";
import "./shell/english";
import { followLinks } from "./shell/router";
import { watchInput } from "./shell/screen-lock";
import { loadSession } from "./shell/session";

followLinks();
watchInput();
void loadSession();
const place = document.getElementById("page");
if (place !== null) void ready.then(() => render(<App />, place));
