export { assetRoutes } from './assets.ts';
export { toCsv } from './csv.ts';
export { dayInWords, momentInWords, timeInWords } from './filters.ts';
export { type FormProblem, fieldProblem, formProblem, textProblem } from './form-problem.ts';
export { followLook, type LookReader, lookRoutes } from './look.ts';
export { findLook, type Logo, saveLook } from './look-store.ts';
export { renderWrittenText, scrollingBox } from './markdown.ts';
export { createPages, emptyFrame, type NavigationItem, type Pages } from './pages.ts';
export {
  dateFrom,
  readChoices,
  readFields,
  readOneOf,
  readUntrimmedFields,
  trimmed,
} from './read-form.ts';
export { successBanner } from './success-banner.ts';
