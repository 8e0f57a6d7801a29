import { render } from "preact";
import { App } from "./app";
import { followLinks } from "./shell/router";
import { recognise } from "./shell/session";

followLinks();
void recognise();
const place = document.getElementById("page");
if (place !== null) render(<App />, place);
