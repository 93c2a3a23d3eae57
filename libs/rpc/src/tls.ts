import { credentials, experimental, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import type { GrpcTls } from '@postroom/runtime/service';

/** With TLS both ends show a certificate, and each requires that of the other to be from the authority. */
export function serverCredentials(tls: GrpcTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const provider = providerOf(tls);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

export function clientCredentials(tls: GrpcTls | undefined): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  const provider = providerOf(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

/** Gives changed certificates to gRPC. Every later connection uses them. */
function providerOf(tls: GrpcTls): experimental.CertificateProvider {
  const authorities = new Set<experimental.CaCertificateUpdateListener>();
  const identities = new Set<experimental.IdentityCertificateUpdateListener>();
  const authority = () => ({ caCertificate: Buffer.from(tls.ca) });
  const identity = () => ({ certificate: Buffer.from(tls.cert), privateKey: Buffer.from(tls.key) });
  tls.onChange?.(() => {
    for (const listener of authorities) listener(authority());
    for (const listener of identities) listener(identity());
  });
  // Not within the call: gRPC hears of what it has asked for only once it has asked.
  return {
    addCaCertificateListener: (listener) => {
      authorities.add(listener);
      process.nextTick(() => listener(authority()));
    },
    removeCaCertificateListener: (listener) => void authorities.delete(listener),
    addIdentityCertificateListener: (listener) => {
      identities.add(listener);
      process.nextTick(() => listener(identity()));
    },
    removeIdentityCertificateListener: (listener) => void identities.delete(listener),
  };
}
