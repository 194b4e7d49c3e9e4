export { assetRoutes } from './assets.ts';
export { momentInWords } from './filters.ts';
export { type FormProblem, fieldProblem, formProblem } from './form-problem.ts';
export { justDone } from './just-done.ts';
export { createPages, type NavigationItem, type Pages } from './pages.ts';
export {
  compact,
  dateFrom,
  readChoices,
  readFields,
  readForm,
  readOneOf,
  trimmed,
} from './read-form.ts';
