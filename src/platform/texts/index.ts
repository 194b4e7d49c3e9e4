export { enterMobileNumber, readMobileNumber } from './mobile-number.ts';
export { findNotifyFault, noTextsReason, sendByNotify, sendsTexts } from './notify.ts';
