import type { officeEn } from "./office-en";

export const officeZh: typeof officeEn = {
  office: {
    title: "管理",
  },
};
