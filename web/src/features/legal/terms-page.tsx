import { LegalPage } from "./legal-page";

export function TermsPage() {
  return (
    <LegalPage title="Terms">
      <p>
        These terms are between you and the operator of this Livery server. Livery is open source under the Apache
        License 2.0. The licence covers the software; these terms cover the service.
      </p>
      <h2>Your account</h2>
      <p>
        Give an email address that is yours, and keep your password and keys to yourself. What is done with your account
        counts as done by you. You can leave at any time.
      </p>
      <h2>Your content</h2>
      <p>
        What you put into your projects stays yours. You let this server store it, translate it when you ask for that,
        and deliver it to your apps. Don't put anything there that you have no right to, or that harms others.
      </p>
      <h2>Plans and credits</h2>
      <p>
        A project's plan lasts for the months you assign credits for. When it ends, nothing is deleted. You can read and
        export everything. Your apps keep the last release for the time the operator has set.
      </p>
      <h2>The service</h2>
      <p>
        Apps built on Livery keep their last content when this server can't be reached. Beyond that the service comes as
        it is. The operator may stop accounts that endanger the service or break the law, and gives the reason.
      </p>
    </LegalPage>
  );
}
