/** Words of the pages about the house's money, people and alarms. */

export const officeEn = {
  office: {
    title: "Office",
  },
};
