export { default } from "./coming";
