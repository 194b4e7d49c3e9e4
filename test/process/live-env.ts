/** What a live site must be told, and a test site need not. */
export const liveEnv = {
  ONWARD_MODE: 'live',
  ONWARD_SITE_NAME: 'Sarrowby referrals',
  ONWARD_BASE_URL: 'https://referrals.example.org',
  ONWARD_DATA_CONTROLLER: 'Sarrowby Council',
  ONWARD_CLINICAL_SAFETY_CONTACT: 'safety@example.org',
  ONWARD_CALDICOTT_GUARDIAN: 'Dr Anna Hale, 01632 960010',
  ONWARD_DATA_PROTECTION_OFFICER: 'Data protection team, 01632 960011',
  ONWARD_SAFEGUARDING_CONTACT: 'Duty team, 01632 960012',
};
