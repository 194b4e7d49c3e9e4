export { assetRoutes } from './assets.ts';
export { type BrandingReader, brandingRoutes, followBranding } from './branding.ts';
export { findBranding, type Logo, saveBranding } from './branding-store.ts';
export { sendClosedForCheck } from './closed-for-check.ts';
export { dayInWords, momentInWords, timeInWords } from './filters.ts';
export { type FormErrors, fieldError, textError, toFormErrors } from './form-errors.ts';
export { escapeHtml, renderWrittenText, scrollingBox } from './markdown.ts';
export { createPages, emptyFrame, keepableFields, type NavigationItem, type Pages } from './pages.ts';
export {
  changedFormProblem,
  joinDate,
  momentOfOpening,
  readChoices,
  readFields,
  readOneOf,
  readUntrimmedFields,
  trimToUndefined,
} from './read-form.ts';
export { successBanner } from './success-banner.ts';
