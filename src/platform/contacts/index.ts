export { findEnteredContacts, saveContacts } from './contacts-store.ts';
export { followContacts, loadContacts } from './follow-contacts.ts';
