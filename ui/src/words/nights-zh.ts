import type { nightsEn } from "./nights-en";

export const nightsZh: typeof nightsEn = {
  nights: {
    title: "模擬",
  },
};
