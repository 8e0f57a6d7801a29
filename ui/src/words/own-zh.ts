import type { ownEn } from "./own-en";

export const ownZh: typeof ownEn = {
  own: {
    title: "我的帳戶",
  },
};
