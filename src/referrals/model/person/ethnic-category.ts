/** The ethnic categories of UK Core and the NHS data dictionary, by their codes. */
export const ethnicCategories = {
  A: 'White: English, Welsh, Scottish, Northern Irish or British',
  B: 'White: Irish',
  C: 'Any other White background',
  D: 'Mixed: White and Black Caribbean',
  E: 'Mixed: White and Black African',
  F: 'Mixed: White and Asian',
  G: 'Any other mixed background',
  H: 'Asian: Indian',
  J: 'Asian: Pakistani',
  K: 'Asian: Bangladeshi',
  L: 'Any other Asian background',
  M: 'Black: Caribbean',
  N: 'Black: African',
  P: 'Any other Black background',
  R: 'Chinese',
  S: 'Any other ethnic group',
  Z: 'The person prefers not to say',
  '99': 'Not known',
} as const satisfies Record<string, string>;

export type EthnicCategory = keyof typeof ethnicCategories;

/** In the order of the dictionary: JavaScript puts the number first. */
export const ethnicCategoryCodes = (Object.keys(ethnicCategories) as EthnicCategory[]).sort((one, other) =>
  one === '99' || other === '99' ? (one === '99' ? 1 : -1) : one.localeCompare(other),
);
export const ethnicCategoryItems = ethnicCategoryCodes.map((value) => ({
  value,
  text: ethnicCategories[value],
}));
