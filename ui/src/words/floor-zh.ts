import type { floorEn } from "./floor-en";

export const floorZh: typeof floorEn = {
  floor: {
    title: "樓面",
  },
};
