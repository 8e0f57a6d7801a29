/** Passkeys: converts the server's JSON for the browser, and the browser's response back. */

import { Problem } from "../api/problems";

type Json = Record<string, unknown>;

function bytes(text: unknown): ArrayBuffer {
  const plain = atob(String(text).replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, one => one.charCodeAt(0)).buffer;
}

function text(data: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(data));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function descriptors(list: unknown): PublicKeyCredentialDescriptor[] {
  return ((list ?? []) as Json[]).map(one => ({ type: "public-key", id: bytes(one.id) }));
}

/** Whether the browser supports passkeys here: only over HTTPS or from this machine. */
export function passkeysSupported(): boolean {
  return typeof PublicKeyCredential !== "undefined";
}

/** Creates a passkey; throws a Problem if the person or the browser refuses. */
export async function createPasskey(options: Json): Promise<Json> {
  const [user, party] = [options.user as Json, options.rp as Json];
  const algorithms = options.pubKeyCredParams as { alg: number }[];
  const made = await requestCredential(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytes(options.challenge),
        rp: { id: String(party.id), name: String(party.name) },
        pubKeyCredParams: algorithms.map(one => ({ type: "public-key", alg: one.alg })),
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        timeout: Number(options.timeout),
        user: { id: bytes(user.id), name: String(user.name), displayName: String(user.displayName) },
        excludeCredentials: descriptors(options.excludeCredentials),
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return answer(made, {
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
  });
}

/** Signs with a passkey; throws a Problem if the person or the browser refuses. */
export async function usePasskey(options: Json): Promise<Json> {
  const made = await requestCredential(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytes(options.challenge),
        rpId: String(options.rpId),
        userVerification: "required",
        timeout: Number(options.timeout),
        allowCredentials: descriptors(options.allowCredentials),
      },
    }),
  );
  const response = made.response as AuthenticatorAssertionResponse;
  return answer(made, {
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
  });
}

async function requestCredential(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const made = await ask();
    if (made !== null) return made as PublicKeyCredential;
  } catch {
    // The person cancelled, took too long, or has no such passkey: the browser does not say which.
  }
  throw new Problem({ kind: "passkey-failed", status: 0 });
}

function answer(made: PublicKeyCredential, response: Json): Json {
  return { id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: {} };
}
