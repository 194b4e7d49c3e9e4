export { assetRoutes } from './assets.ts';
export { dayInWords, momentInWords } from './filters.ts';
export { type FormProblem, fieldProblem, formProblem, textProblem } from './form-problem.ts';
export { createPages, type NavigationItem, type Pages } from './pages.ts';
export {
  dateFrom,
  readChoices,
  readFields,
  readOneOf,
  readUntrimmedFields,
  trimmed,
} from './read-form.ts';
export { successBanner } from './success-banner.ts';
