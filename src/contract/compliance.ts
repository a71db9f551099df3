import { z } from 'zod';

export const framework = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  reviewedOn: z.string().describe('YYYY-MM-DD'),
  reviewedBy: z.string(),
  controls: z.array(z.object({ controlId: z.string(), title: z.string() })),
});
export type Framework = z.output<typeof framework>;
export const frameworkList = z.object({ frameworks: z.array(framework) });
