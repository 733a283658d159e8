/** @module What is sent to each operation so that it can be tried on the sample project. */
import { evalRecipes } from "./eval-recipes.ts";
import { serverRecipes } from "./server-recipes.ts";
import type { Recipes } from "./step.ts";
import { visitorRecipes } from "./visitor-recipes.ts";

export const recipes: Recipes = { ...serverRecipes, ...evalRecipes, ...visitorRecipes };
