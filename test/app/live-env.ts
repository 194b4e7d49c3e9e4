/** For tests: what a live site must be told, and a test site need not. */
export const liveEnv = {
  ONWARD_MODE: 'live',
  ONWARD_SITE_NAME: 'Sarrowby referrals',
  ONWARD_BASE_URL: 'https://referrals.example.org',
  ONWARD_DATA_CONTROLLER: 'Sarrowby Council',
  ONWARD_CLINICAL_SAFETY_CONTACT: 'safety@example.org',
};
