import type { auditEn } from "./audit-en";

export const auditZh: typeof auditEn = {
  audit: {
    title: "稽核",
  },
};
