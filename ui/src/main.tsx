import { render } from "preact";
import { App } from "./app";
import { followLinks } from "./shell/router";
import { recognise } from "./shell/session";
import { ready } from "./words";

followLinks();
void recognise();
const place = document.getElementById("page");
if (place !== null) void ready.then(() => render(<App />, place));
