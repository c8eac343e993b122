import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { createFakeGitLab } from '../../helpers/fakes/gitlab.ts';
import { sampleWorld } from '../../helpers/fakes/gitlab-world.ts';
import { gitlabContract } from './suite.ts';

async function archiveOf(files: Record<string, string>): Promise<Uint8Array> {
  const tar = pack();
  for (const [path, text] of Object.entries(files)) tar.entry({ name: `sample/${path}` }, text);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

gitlabContract('the fake GitLab', async () => {
  const world = sampleWorld();
  const gitlab = createFakeGitLab({ ...world, archive: () => archiveOf(world.files) });
  return { gitlab, maintainer: gitlab, close: async () => undefined };
});
