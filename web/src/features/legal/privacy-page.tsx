import { LegalPage } from "./legal-page";

export function PrivacyPage() {
  return (
    <LegalPage title="Privacy Policy">
      <p>This is what this Livery server keeps about you, why, and for how long. Its operator answers for it.</p>
      <h2>What is kept</h2>
      <p>
        Your name and email address. Your password as a hash that can't be turned back. Your sessions, with the name of
        the browser. What you create in your projects, and who changed what and when.
      </p>
      <p>
        Each act is also kept in an audit log, with the network address it came from and what was there before and
        after. Owners and admins of a project read its log; you alone read that of your account. The operator sets how
        long it is kept: a year, unless the operator sets a different time.
      </p>
      <h2>In your browser</h2>
      <p>
        Your session, your name and email, the theme you chose and the project you last opened are kept in local
        storage. Text that you typed and did not save is kept there too; text of forms for at most seven days. A single
        cookie marks sessions that end with the browser. There are no tracking cookies and no third-party scripts.
      </p>
      <p>
        How often each page of the dashboard is opened is counted per day, without your name, your address or what the
        page showed. If the operator has connected an analytics service, the service gets the same, with the name of
        your browser and your network address.
      </p>
      <h2>In your apps</h2>
      <p>
        When an app fetches content, its project's calls and bytes are counted per day. Nothing about the people who use
        the app is kept.
      </p>
      <h2>Who else sees it</h2>
      <p>
        Texts go to a translation provider only when you ask for a translation, and only those texts with their context.
        Payments are made on the payment provider's own page.
      </p>
      <h2>How it ends</h2>
      <p>
        When an account is deleted its name, email, sessions and keys are removed, and its name in a project's history
        becomes 'Deleted user'. The audit log of the account loses its addresses. Ask the operator for a copy of what is
        kept about you.
      </p>
    </LegalPage>
  );
}
