/** Words of the pages about the journal, its proof and the replay of rounds. */

export const auditEn = {
  audit: {
    title: "Audit",
  },
};
