/**
 * A real OpenID Connect provider on loopback: oidc-provider with its own login page. Whoever types `mara@acme.example` and any password is
 * that person, with this email. An address that begins with `unverified` is not verified. Prints its issuer; ends when its input ends.
 */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

// The clock rows of `make test-deep` shift Livery's clock; tokens are checked by it.
const shift = Number(process.env["SHIFTED_CLOCK_SECONDS"] ?? 0) * 1000;
const systemNow = Date.now;
Date.now = () => systemNow() + shift;

const CALLBACK = /^http:\/\/(testserver|(localhost|127\.0\.0\.1):\d+)\/api\/auth\/sso\/callback$/;

const keyOf = (kind, options, kid) => {
  const { privateKey } = generateKeyPairSync(kind, options);
  return { ...privateKey.export({ format: "jwk" }), kid, use: "sig" };
};

const clientOf = (clientId, others) => ({
  client_id: clientId,
  redirect_uris: ["http://testserver/api/auth/sso/callback"],
  grant_types: ["authorization_code"],
  response_types: ["code"],
  ...others,
});

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      clientOf("livery", { client_secret: "a+secret/with=signs and spaces" }),
      clientOf("livery-public", { token_endpoint_auth_method: "none", id_token_signed_response_alg: "ES256" }),
    ],
    jwks: { keys: [keyOf("rsa", { modulusLength: 2048 }, "r1"), keyOf("ec", { namedCurve: "P-256" }, "e1")] },
    cookies: { keys: ["only for tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: () => ({
        sub: login,
        email: login,
        email_verified: !login.startsWith("unverified"),
        name: `Person ${login.split("@")[0]}`,
      }),
    }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const known = oidc.session.grantIdFor(oidc.client.clientId);
      if (known !== undefined) return oidc.provider.Grant.find(known);
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  // The port of the server under test is not known here.
  provider.Client.prototype.redirectUriAllowed = (uri) => CALLBACK.test(uri);
  server.on("request", provider.callback());
  process.stdout.write(`issuer ${issuer}\n`);
});

process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
