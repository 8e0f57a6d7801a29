/** Words of the pages about a person's own account. */

export const ownEn = {
  own: {
    title: "Own",
  },
};
