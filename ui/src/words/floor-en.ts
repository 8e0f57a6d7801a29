/** Words of the pages about the floor: tables opened, looked after and closed. */

export const floorEn = {
  floor: {
    title: "Floor",
  },
};
