import type { App } from '../platform/http/index.ts';
import type { FindDeps } from '../search/index.ts';
import { attachFileRoute } from './conversation/attach-file.ts';
import { messageRoutes } from './conversation/messages.ts';
import { readAttachmentRoutes } from './conversation/read-attachments.ts';
import { removeAttachmentRoute } from './conversation/remove-attachment.ts';
import { agreementRoute } from './corrections/change-agreement.ts';
import { correctionRoute } from './corrections/correct-referral.ts';
import { lifeChangeRoutes } from './corrections/tell-change.ts';
import { transferRoute } from './corrections/transfer-referral.ts';
import { deathRoutes } from './endings/death-routes.ts';
import { listRoute } from './listing/list-referrals.ts';
import { openingRoutes } from './listing/openings.ts';
import { readReferralRoutes } from './listing/read-referral.ts';
import { searchRoute } from './listing/search-referrals.ts';
import { referralSchema } from './model/schemas/referral.ts';
import { changePages } from './pages/change/change-pages.ts';
import { earlierPages } from './pages/form/earlier-page.ts';
import { editDraftPages } from './pages/form/edit-page.ts';
import { newReferralPages } from './pages/form/new-page.ts';
import { paperFormPage } from './pages/form/paper-form-page.ts';
import { practicesPart } from './pages/form/practices-part.ts';
import { rightPersonPage } from './pages/form/right-person-page.ts';
import { bulkPages } from './pages/lists/bulk-pages.ts';
import { type ListPageDeps, listPage } from './pages/lists/list-page.ts';
import { liveCounts } from './pages/lists/live-counts.ts';
import { savedViewPages } from './pages/lists/saved-view-pages.ts';
import { searchPages } from './pages/lists/search-page.ts';
import { questionnaireDeskPage } from './pages/questionnaires/desk-page.ts';
import { questionnairePages } from './pages/questionnaires/questionnaire-pages.ts';
import {
  acceptToWaitPage,
  actionPages,
  checkEndingPages,
  closeGpActionPage,
  dismissPromptPage,
} from './pages/referral/action-pages.ts';
import { cancelPage } from './pages/referral/cancel-page.ts';
import { caseworkPages } from './pages/referral/casework-pages.ts';
import { contactPages } from './pages/referral/contact-pages.ts';
import { conversationPages } from './pages/referral/conversation-pages.ts';
import { goalsPage } from './pages/referral/goals-page.ts';
import { personPageForms } from './pages/referral/person-page-forms.ts';
import { singleReferralPage } from './pages/referral/referral-page.ts';
import { markResolvedPage, reroutePage } from './pages/referral/reroute-page.ts';
import { suggestPart } from './pages/referral/suggest-service.ts';
import { transferPage } from './pages/referral/transfer-page.ts';
import { personPageRoutes } from './person-page/manage-page.ts';
import { personPages } from './person-page/pages.ts';
import { actionRoutes } from './progress/action-routes.ts';
import { measuresRoute } from './progress/add-measures.ts';
import { checkEndingRoutes } from './progress/check-ending.ts';
import { closeGpActionRoute } from './progress/close-gp-action.ts';
import { contactRoutes } from './progress/contacts-and-appointments.ts';
import { dismissPromptRoute } from './progress/dismiss-prompt.ts';
import { markResolvedRoute } from './progress/mark-resolved.ts';
import { recordKeepingRoutes } from './record-keeping/record-routes.ts';
import { draftRoutes } from './submit/drafts.ts';
import { rerouteRoute } from './submit/reroute-referral.ts';
import type { SubmitDeps } from './submit/submit-referral.ts';
import { submitRoute } from './submit/submit-routes.ts';

export function referralRoutes(app: App, deps: SubmitDeps): void {
  app.addSchema(referralSchema);
  submitRoute(app, deps);
  rerouteRoute(app, deps);
  listRoute(app, deps);
  searchRoute(app, deps);
  readReferralRoutes(app, deps);
  draftRoutes(app, deps);
  markResolvedRoute(app, deps);
  actionRoutes(app, deps);
  closeGpActionRoute(app, deps);
  contactRoutes(app, deps);
  measuresRoute(app, deps);
  dismissPromptRoute(app, deps);
  personPageRoutes(app, deps);
  checkEndingRoutes(app, deps);
  correctionRoute(app, deps);
  agreementRoute(app, deps);
  lifeChangeRoutes(app, deps);
  transferRoute(app, deps);
  deathRoutes(app, deps);
  messageRoutes(app, deps);
  readAttachmentRoutes(app, deps);
  attachFileRoute(app, deps);
  removeAttachmentRoute(app, deps);
  openingRoutes(app, deps);
  recordKeepingRoutes(app, deps);
}

/** The list of referrals, the form that makes one, and the page of each. */
export function referralPages(app: App, deps: SubmitDeps & ListPageDeps & FindDeps): void {
  listPage(app, deps);
  bulkPages(app, deps);
  liveCounts(app, deps);
  savedViewPages(app, deps);
  searchPages(app, deps);
  paperFormPage(app, deps);
  newReferralPages(app, deps);
  practicesPart(app, deps);
  earlierPages(app, deps);
  singleReferralPage(app, deps);
  editDraftPages(app, deps);
  rightPersonPage(app, deps);
  actionPages(app, deps);
  changePages(app, deps);
  closeGpActionPage(app, deps);
  dismissPromptPage(app, deps);
  checkEndingPages(app, deps);
  acceptToWaitPage(app, deps);
  cancelPage(app, deps);
  conversationPages(app, deps);
  caseworkPages(app, deps);
  contactPages(app, deps);
  questionnairePages(app, deps);
  questionnaireDeskPage(app, deps);
  personPageForms(app, deps);
  goalsPage(app, deps);
  reroutePage(app, deps);
  suggestPart(app, deps);
  transferPage(app, deps);
  markResolvedPage(app, deps);
  personPages(app, deps);
}
