/** Words of the pages about simulated nights. */

export const nightsEn = {
  nights: {
    title: "Nights",
  },
};
